import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import {
  decode,
  decodeHead,
  extendsAscii,
  HEAD_BYTES,
  visibleEncoding,
  withHead,
} from './decode.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield await Promise.resolve(bytes.subarray(start, start + size))
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function decoded(bytes: Uint8Array, encoding = 'utf-8', size = 3): Promise<string> {
  const texts = await listOf(decode(inChunks(bytes, size), () => encoding))
  return texts.join('')
}

const TEXT = 'Müller & Žižka – 5 €, 日本 😀'

describe('decode', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 little-endian with a mark', iconv.encode(TEXT, 'utf-16le', { addBOM: true })],
    ['UTF-16 big-endian with a mark', iconv.encode(TEXT, 'utf-16be', { addBOM: true })],
    ['UTF-16 little-endian without one', iconv.encode(TEXT, 'utf-16le')],
    ['UTF-16 big-endian without one', iconv.encode(TEXT, 'utf-16be')],
  ])('reads %s in any pieces', async (_name, bytes) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await decoded(bytes, 'utf-8', size)).toBe(TEXT)
  })

  test('reads what lies between 0x80 and 0x9f in windows-1252', async () => {
    const bytes = Buffer.from([0x80, 0x96, 0x8e, 0x9c, 0x99])
    expect(await decoded(bytes, 'windows-1252')).toBe('€–Žœ™')
  })

  test('a byte order mark is believed before the name of an encoding', async () => {
    expect(await decoded(Buffer.from(`\ufeff${TEXT}`), 'windows-1252')).toBe(TEXT)
  })

  test('bytes that the encoding does not know become U+FFFD', async () => {
    const bytes = Buffer.concat([Buffer.from('a'), Buffer.from([0xff, 0xc3]), Buffer.from('b')])
    expect(await decoded(bytes)).toMatch(/^a\ufffd+b$/)
    const half = Buffer.from([0xff, 0xfe, 0x3d, 0xd8, 0x41, 0x00])
    expect(await decoded(half)).toBe('\ufffdA')
  })

  test('of a large chunk it makes small pieces', async () => {
    const texts = await listOf(decode(inChunks(Buffer.alloc(300_000, 'a'), 300_000), () => 'utf-8'))
    expect(Math.max(...texts.map(text => text.length))).toBeLessThanOrEqual(65_536)
    expect(texts.join('')).toBe('a'.repeat(300_000))
  })

  test('nothing is the empty text', async () => {
    expect(await decoded(Buffer.alloc(0))).toBe('')
  })
})

describe('extendsAscii', () => {
  test.each(['utf-8', 'UTF8', 'ISO-8859-1', 'windows-1252', 'us-ascii', 'ISO-8859-15'])(
    'takes %s',
    encoding => {
      expect(extendsAscii(encoding)).toBe(true)
    },
  )

  test.each(['hex', 'base64', 'cesu-8', 'utf-7', 'utf-16', 'utf-32', 'ibm037', 'klingon', ''])(
    'does not take %j',
    encoding => {
      expect(extendsAscii(encoding)).toBe(false)
    },
  )
})

test('an encoding that shows by itself', () => {
  expect(visibleEncoding(Buffer.from('\ufeff<'))).toBe('utf-8')
  expect(visibleEncoding(Buffer.from('<?xml'))).toBeNull()
  expect(visibleEncoding(Buffer.from([0x3c, 0]))).toBe('utf-16le')
  expect(visibleEncoding(Buffer.from([0, 0x3c]))).toBe('utf-16be')
  expect(visibleEncoding(Buffer.from([0, 0, 0, 0]))).toBeNull()
  expect(visibleEncoding(Buffer.alloc(0))).toBeNull()
  expect(decodeHead(iconv.encode('<?xml', 'utf-16be'))).toBe('<?xml')
})

describe('withHead', () => {
  test('the first chunk is enough to look at, and nothing is lost', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251))
    for (const size of [1, 100, HEAD_BYTES, 3000, 9000]) {
      const chunks = await listOf(withHead(inChunks(bytes, size)))
      expect(chunks[0]?.length).toBeGreaterThanOrEqual(HEAD_BYTES)
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
    }
  })

  test('a small file is one chunk, an empty one none', async () => {
    expect(await listOf(withHead(inChunks(Buffer.from('abc'), 1)))).toEqual([Buffer.from('abc')])
    expect(await listOf(withHead(inChunks(Buffer.alloc(0), 1)))).toEqual([])
  })
})
