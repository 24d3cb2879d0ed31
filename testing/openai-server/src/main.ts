import { startOpenAiServer } from './server.ts'

// A server of its own process: PORT, or a free one. Its one line of output says where it is and which key opens it.
const server = await startOpenAiServer({ port: Number(process.env.PORT ?? 0) })
console.log(JSON.stringify({ url: server.url, token: server.token }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close()
    process.exit(0)
  })
}
