import { createClient } from 'redis'

/** Where tests find a Redis server, or why there is none. */
export async function redisServer(): Promise<{ url: string } | { missing: string }> {
  const url = process.env.TEST_REDIS_URL
  if (!url) return { missing: 'TEST_REDIS_URL is not set' }
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  client.on('error', () => {})
  const error = await client.connect().then(
    () => client.ping(),
    (failure: Error) => failure,
  )
  if (error instanceof Error) return { missing: `TEST_REDIS_URL does not answer: ${error.message}` }
  client.destroy()
  return { url }
}
