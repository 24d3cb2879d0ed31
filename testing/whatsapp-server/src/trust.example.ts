import { initAuthCreds, makeWASocket } from 'baileys'
import { memoryKeys } from './memory-keys.ts'
import { noLogger } from './quiet.ts'

// Stands for an app that knows nothing of tests: shows the first QR code of the server in its argument, and ends.
const sock = makeWASocket({
  waWebSocketUrl: process.argv[2]!,
  auth: { creds: initAuthCreds(), keys: memoryKeys() },
  logger: noLogger,
})
sock.ev.on('connection.update', ({ qr, connection, lastDisconnect }) => {
  if (!qr && connection !== 'close') return
  console.log(qr ?? lastDisconnect?.error?.message)
  process.exit(0)
})
