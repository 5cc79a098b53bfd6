import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { BadInput } from './bad-input.ts'

/** A larger file is refused: it is held in memory as a whole, because it is checked as a whole. */
const INPUT_BYTES_MAX = 268_435_456

/**
 * Reads a text file whole (`-`: `stdin`): UTF-8, with or without a byte order mark. Throws
 * {@link BadInput} for a file that cannot be read, is empty, too large, or no text.
 */
export async function readText(path: string, stdin: Readable): Promise<string> {
  const name = path === '-' ? 'standard input' : path
  const bytes = await readBytes(name, path === '-' ? stdin : createReadStream(path))
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadInput(`${name}: not UTF-8 text`)
  }
  if (text.includes('\0')) throw new BadInput(`${name}: not text, it has a NUL character`)
  if (text.trim() === '') throw new BadInput(`${name}: is empty`)
  return text
}

/** Parses JSON. Throws {@link BadInput} that begins with `place`, such as `--rates: `. */
export function parseJson(text: string, place = ''): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadInput(`${place}not JSON: ${(error as Error).message}`)
  }
}

async function readBytes(name: string, stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > INPUT_BYTES_MAX)
        throw new BadInput(`${name}: larger than ${INPUT_BYTES_MAX} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof BadInput) throw error
    throw new BadInput(`${name}: ${whyUnreadable(error)}`)
  }
  return Buffer.concat(chunks)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'may not be read: permission denied',
  EISDIR: 'is a folder, not a file',
}

/** Why a file cannot be read, in words. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? `cannot be read: ${message}`
}
