import { startOpenAiServer } from './server.ts'

// A server in its own process: PORT, or a free one. Prints one line with its address and key.
const server = await startOpenAiServer({ port: Number(process.env.PORT ?? 0) })
console.log(JSON.stringify({ url: server.url, token: server.token }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close()
    process.exit(0)
  })
}
