// node --import .../typescript.mjs script.ts: lets a child process of a test run the sources. Newer
// versions of Node do so by themselves.
import { register } from 'node:module'

if (!process.features.typescript) register('./typescript-hooks.mjs', import.meta.url)
