import '../../apps/server/src/platform/startup/loading.ts'
import type { Order } from './restarting.ts'

// One run of the server. Libraries, half of what a start loads, are there before the order to load the product's own files.

const [load, serve] = [ordered('load'), ordered('serve')]
// whoever started it is gone
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const libraries = [
  'fastify',
  'zod',
  'pg',
  'pg-boss',
  'pino',
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'jose',
  'undici',
]
for (const name of [
  ...libraries,
  'socket.io',
  'prom-client',
  'nodemailer',
  'libphonenumber-js/max',
  'file-type',
])
  await import(name)
await load
const { serveUntilStopped } = await import('../../apps/server/src/serve.ts')
// which serve.ts loads later
await import('../../apps/server/src/product.ts')
await import('../../apps/server/src/platform/start.ts')
const { openDatabase, sharedOf } = await import('../../apps/server/src/platform/postgres/db.ts')
const url = (await serve).prepared
if (url === null) await serveUntilStopped()
else
  await serveUntilStopped(async ({ databaseConnections }) => {
    const database = openDatabase(url, sharedOf(databaseConnections))
    // no other process is on the folder: the run before has ended
    return { database, isAlone: true, close: database.close }
  })
process.send!('serves')

function ordered<What extends Order['what']>(what: What) {
  return new Promise<Extract<Order, { what: What }>>(done =>
    process.on('message', (message: Order) => {
      if (message.what === what) done(message as Extract<Order, { what: What }>)
    }),
  )
}
