import { initAuthCreds, makeWASocket } from 'baileys'
import { memoryKeys } from './memory-keys.ts'
import { noLogger } from './quiet.ts'

// An app that knows nothing of tests: prints the answer of WhatsApp's media host for a missing file, and the first QR
// code of the server in its argument; and exits.
const sock = makeWASocket({
  waWebSocketUrl: process.argv[2]!,
  auth: { creds: initAuthCreds(), keys: memoryKeys() },
  logger: noLogger,
})
sock.ev.on('connection.update', async ({ qr, connection, lastDisconnect }) => {
  if (!qr && connection !== 'close') return
  const { status } = await fetch('https://mmg.whatsapp.net/v/nothing')
  console.log(`${status} ${qr ?? lastDisconnect?.error?.message}`)
  process.exit(0)
})
