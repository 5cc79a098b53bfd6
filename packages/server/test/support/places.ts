import { beforeAll } from 'vitest'
import { freshDatabase } from '#testing/database.ts'
import { holdfast, temporaryFolder } from './holdfast.ts'

/** Books that outlast a command: the options that name them. */
export interface Place {
  readonly name: string
  /** Makes empty books; call it inside a `describe`. The options are there once tests run. */
  make(): { readonly options: () => string[] }
}

const folder: Place = {
  name: 'an embedded database',
  make() {
    const data = temporaryFolder()
    // To make the database takes longer than anything that is done with it.
    beforeAll(() => holdfast(['migrate', '--data', data]).then(() => undefined))
    return { options: () => ['--data', data] }
  },
}

const server: Place = {
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
export const PLACES: readonly Place[] = [folder, server]
