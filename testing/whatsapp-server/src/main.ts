import type { AddressInfo } from 'node:net'
import { startControl } from './control.ts'
import { startWhatsAppServer } from './server.ts'

// A server in its own process: PORT and CONTROL_PORT, or free ones, and FEW_KEYS=1 for many clients. Prints one line
// with all addresses.
const server = await startWhatsAppServer({
  port: Number(process.env.PORT ?? 0),
  fewKeys: process.env.FEW_KEYS === '1',
})
const control = await startControl(server, Number(process.env.CONTROL_PORT ?? 0))
const { port } = control.address() as AddressInfo
const rootPublicKey = server.rootPublicKey.toString('hex')
const { host, certificate } = server.media
console.log(
  JSON.stringify({
    url: server.url,
    control: `http://127.0.0.1:${port}`,
    rootPublicKey,
    media: { host, certificate },
  }),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    control.close()
    await server.close()
    process.exit(0)
  })
}
