import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * A client that receives and does not render: it connects over a WebSocket as Socket.IO does, answers its pings and
 * discards what comes. Hundreds of real ones in one process would be slower than the product that they measure.
 */
export async function openLean(url: string, token: string): Promise<LeanScreen> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
  socket.on('error', () => {})
  socket.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  await said(socket, '\r\n\r\n')
  socket.write(frame(`40${JSON.stringify({ token })}`))
  await said(socket, '40{"sid"')
  socket.on('data', piece => {
    if (piece.includes(PING)) socket.write(frame('3'))
  })
  return {
    emit: (event, payload) => void socket.write(frame(`42${JSON.stringify([event, payload])}`)),
    disconnect: () => socket.destroy(),
  }
}

export interface LeanScreen {
  emit(event: string, payload: object): void
  disconnect(): void
}

/** A text of one character, 2. */
const PING = Buffer.from([0x81, 1, 0x32])

/** One short text from a client: under a mask of zeros. */
function frame(text: string) {
  const body = Buffer.from(text)
  const length = body.length < 126 ? [body.length | 0x80] : [126 | 0x80, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), body])
}

function said(socket: Socket, words: string): Promise<void> {
  return new Promise((done, fail) => {
    let heard = ''
    const late = setTimeout(() => fail(new Error(`a screen was not let in: ${heard}`)), 10_000)
    socket.on('data', function look(piece) {
      heard += piece
      if (!heard.includes(words)) return
      clearTimeout(late)
      socket.off('data', look)
      done()
    })
  })
}
