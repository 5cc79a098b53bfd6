// Takes one defence out of the built library, in this process and in those that it starts: for tests
// that a defence that is missing is noticed. Preload it with NODE_OPTIONS=--import; the environment
// variable WITHOUT_DEFENCE says which.
import { register } from 'node:module'

register('./without-defence-hooks.mjs', import.meta.url)
