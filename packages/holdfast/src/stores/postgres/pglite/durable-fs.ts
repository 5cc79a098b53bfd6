import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What is used of PGlite's WebAssembly module. */
interface FileSystemModule {
  NODEFS: {
    stream_ops: {
      fsync?(stream: { nfd: number }): number
      write(stream: object, buffer: Uint8Array, ...rest: number[]): number
    }
    tryFSOperation(operation: () => void): void
  }
}

type Options = Parameters<NodeFS['init']>[1]

/**
 * PGlite's own folder on disk, made safe against a power cut: as shipped, its file system answers
 * an fsync without doing one. Counts what is written, so that a checkpoint can be made in time.
 */
export class DurableFS extends NodeFS {
  bytesWritten = 0

  override async init(pglite: PGlite, options: Options): Promise<{ emscriptenOpts: Options }> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const makeDurable = (module: unknown) => {
      this.#makeDurable(module as FileSystemModule)
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), makeDurable],
      },
    }
  }

  #makeDurable({ NODEFS }: FileSystemModule): void {
    const { stream_ops: operations } = NODEFS
    operations.fsync = ({ nfd }) => {
      NODEFS.tryFSOperation(() => {
        fsyncSync(nfd)
      })
      return 0
    }
    const write = operations.write.bind(operations)
    operations.write = (stream, buffer, ...rest) => {
      const written = write(stream, buffer, ...rest)
      this.bytesWritten += written
      return written
    }
  }
}
