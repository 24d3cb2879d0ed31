import { initAuthCreds, makeWASocket } from 'baileys'
import { memoryKeys } from './memory-keys.ts'
import { noLogger } from './quiet.ts'

// Stands for an app that knows nothing of tests: shows what WhatsApp's media host answers to a file that is not there,
// and the first QR code of the server in its argument; and ends.
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
