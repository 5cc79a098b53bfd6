import type { Stream } from 'node:stream'

/** Lets this process end while a pipe to a child is open: a pipe is a socket, which its type hides. */
export function unref(pipe: Stream | null): void {
  const socket = pipe as Partial<{ unref(): void }> | null
  socket?.unref?.()
}
