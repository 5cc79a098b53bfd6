export { holdsDatabase, openPglite } from './stores/postgres/pglite/open-pglite.ts'
export { FolderUnusable } from './stores/postgres/pglite/folder-lock.ts'
