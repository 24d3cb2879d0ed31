import { until } from './test-app.ts'

/** A socket written frame by frame, without a library: shows what a library would hide. */
export interface RawSocket {
  /** Every frame of Socket.IO as it came. */
  frames: string[]
  /** Events received on channels, with the payloads. */
  told(): [channel: string, payload: unknown][]
  /** What the server calls this line for coming back; undefined while it was not let in. */
  pid(): string | undefined
  /** The id of the last event received. */
  offset(): string | undefined
  /** Authenticates again. */
  knock(): void
  say(event: string, ...asked: unknown[]): void
  /** Let in, or refused. */
  answered(): Promise<'in' | 'refused'>
  open(): boolean
  /** The line breaks, as on a bad network. */
  cut(): Promise<void>
}

export async function openRawSocket(url: string, auth: Record<string, unknown>): Promise<RawSocket> {
  const wire = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  const frames: string[] = []
  const knock = () => wire.send(`40${JSON.stringify(auth)}`)
  wire.onmessage = ({ data }) => {
    const frame = String(data)
    if (frame === '2') wire.send('3')
    else if (frame.startsWith('0')) knock()
    else frames.push(frame)
  }
  await until(() => wire.readyState === WebSocket.OPEN || wire.readyState === WebSocket.CLOSED)
  const events = () =>
    frames.filter(frame => frame.startsWith('42')).map(frame => JSON.parse(frame.slice(2)) as unknown[])
  const welcome = () => frames.find(frame => frame.startsWith('40'))
  return {
    frames,
    told: () => events().map(([channel, payload]) => [String(channel), payload]),
    pid: () => (welcome() ? (JSON.parse(welcome()!.slice(2)) as { pid: string }).pid : undefined),
    offset: () => events().at(-1)?.at(-1) as string | undefined,
    knock,
    say: (...asked) => wire.send(`42${JSON.stringify(asked)}`),
    answered: () =>
      until(() => (welcome() ? 'in' : frames.some(frame => frame.startsWith('44')) ? 'refused' : null)),
    open: () => wire.readyState === WebSocket.OPEN,
    cut: async () => {
      wire.close()
      await until(() => wire.readyState === WebSocket.CLOSED)
    },
  }
}
