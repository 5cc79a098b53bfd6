import { beforeAll } from 'vitest'
import { freshDatabase } from '#testing/database.ts'
import { freshFolder, type FreshFolder } from '#testing/pglite.ts'
import { holdfast } from './holdfast.ts'

/** Books that outlast a command: the options that name them. */
export interface Place {
  readonly name: string
  /** Makes empty books; call it inside a `describe`. The options are there once tests run. */
  make(): { readonly options: () => string[] }
}

const folder: Place = {
  name: 'an embedded database',
  make() {
    let fresh: FreshFolder
    beforeAll(async () => {
      fresh = await freshFolder()
      await holdfast(['migrate', '--data', fresh.folder])
      return () => {
        fresh.remove()
      }
    })
    return { options: () => ['--data', fresh.folder] }
  },
}

/** Where it makes no difference to what is tested, the place in which a command takes less time. */
export const SERVER: Place = {
  name: 'a Postgres server',
  make() {
    let url = ''
    beforeAll(async () => {
      const database = await freshDatabase()
      url = database.url
      await holdfast(['migrate', '--database-url', url])
      return () => database.drop()
    })
    return { options: () => ['--database-url', url] }
  },
}

/** Every kind of books that outlast a command. */
export const PLACES: readonly Place[] = [folder, SERVER]
