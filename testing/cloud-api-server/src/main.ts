import type { AddressInfo } from 'node:net'
import { startControl } from './control.ts'
import { startCloudApiServer } from './server.ts'

// A server in its own process: PORT and CONTROL_PORT, or free ones. Prints one line with all addresses.
const server = await startCloudApiServer({ port: Number(process.env.PORT ?? 0) })
const control = await startControl(server, Number(process.env.CONTROL_PORT ?? 0))
const { port } = control.address() as AddressInfo
console.log(JSON.stringify({ url: server.url, control: `http://127.0.0.1:${port}` }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    control.close()
    await server.close()
    process.exit(0)
  })
}
