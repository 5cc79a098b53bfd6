import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'

/** So much of a file is looked at to tell its encoding and its format. */
export const HEAD_BYTES = 1024

/** A piece of text that is handed out stems from at most so many bytes. */
const PIECE_BYTES = 65_536

/**
 * A stream of bytes as it is, but for its first chunk: that has at least {@link HEAD_BYTES} bytes,
 * or is the whole file.
 */
export async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes >= HEAD_BYTES) {
      yield chunk
      continue
    }
    head.push(chunk)
    bytes += chunk.length
    if (bytes >= HEAD_BYTES) yield head.length === 1 ? chunk : Buffer.concat(head)
  }
  if (bytes > 0 && bytes < HEAD_BYTES) yield Buffer.concat(head)
}

/**
 * The encoding that the first bytes show by themselves (a byte order mark, UTF-16's zeros), or
 * null.
 */
export function visibleEncoding(head: Uint8Array): string | null {
  const [first, second, third] = head
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (isPrintable(first) && second === 0) return 'utf-16le'
  if (first === 0 && isPrintable(second)) return 'utf-16be'
  return null
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f
}

/**
 * Whether a name is that of an encoding that can be read here: one whose first 128 characters are
 * ASCII. It is tried in the way in which it will be used, which leaves out what is no character set
 * (`hex`, `base64`) and what the library has a faulty decoder for (`cesu-8`).
 */
export function extendsAscii(encoding: string): boolean {
  if (!iconv.encodingExists(encoding)) return false
  const ascii = Buffer.from(Array.from({ length: 128 }, (_, code) => code))
  const decoder = iconv.getDecoder(encoding)
  return `${decoder.write(ascii)}${decoder.end() ?? ''}` === ascii.toString('latin1')
}

/** The first bytes of a file as text that is good enough to tell its format by. */
export function decodeHead(head: Uint8Array): string {
  return new TextDecoder(visibleEncoding(head) ?? 'utf-8').decode(head)
}

/**
 * Decodes a stream piece by piece, without the byte order mark. Bytes that the encoding does not
 * know become U+FFFD: a damaged name is harmless, and a damaged number is refused by whoever reads
 * it. `encodingOf` is asked where the bytes do not show the encoding by themselves.
 */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  encodingOf: (head: Uint8Array) => string,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  for await (const chunk of withHead(chunks)) {
    decoder ??= decoderFor(chunk.subarray(0, HEAD_BYTES), encodingOf)
    for (let start = 0; start < chunk.length; start += PIECE_BYTES)
      yield decoder.write(Buffer.from(chunk.subarray(start, start + PIECE_BYTES)))
  }
  yield decoder?.end() ?? ''
}

interface Decoder {
  write(bytes: Buffer): string
  end(): string | undefined
}

/** Unicode by the runtime, which never makes half a surrogate pair; the rest by iconv. */
function decoderFor(head: Uint8Array, encodingOf: (head: Uint8Array) => string): Decoder {
  const visible = visibleEncoding(head)
  if (visible === null) return iconv.getDecoder(encodingOf(head))
  const decoder = new TextDecoder(visible)
  return {
    write: bytes => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}
