import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// What this driver uses of the inside of Baileys and libsignal, file by file: the first to fail after an upgrade.

const root = {
  baileys: dirname(dirname(fileURLToPath(import.meta.resolve('baileys')))),
  libsignal: dirname(createRequire(import.meta.resolve('baileys')).resolve('libsignal/package.json')),
}

type Part = [used: string, of: keyof typeof root, file: string, text: string]

const parts: Part[] = [
  ['library/guard.ts', 'baileys', 'lib/Socket/Client/websocket.js', 'this.socket = new WebSocket('],
  ['library/guard.ts', 'baileys', 'lib/Socket/Client/websocket.js', 'this.socket?.send(str, cb)'],
  ['library/fence.ts', 'baileys', 'lib/Defaults/index.js', 'makeSignalRepository: makeLibSignalRepository'],
  [
    'library/fence.ts',
    'baileys',
    'lib/Signal/libsignal.js',
    'async decryptMessage({ jid, type, ciphertext })',
  ],
  [
    'library/fence.ts',
    'baileys',
    'lib/Signal/libsignal.js',
    'decryptGroupMessage({ group, authorJid, msg })',
  ],
  ['library/fence.ts', 'baileys', 'lib/Socket/chats.js', 'const messageMutex = makeMutex()'],
  ['library/sessions.ts', 'baileys', 'lib/Signal/libsignal.js', 'async injectE2ESession({ jid, session })'],
  [
    'library/ratchet.ts',
    'baileys',
    'lib/Socket/messages-send.js',
    'await authState.keys.transaction(async () => {',
  ],
  ['library/ratchet.ts', 'baileys', 'lib/Signal/libsignal.js', 'return parsedKeys.transaction(async () => {'],
  [
    'library/sessions.ts',
    'libsignal',
    'src/session_cipher.js',
    'async doDecryptWhisperMessage(messageBuffer, session)',
  ],
  ['library/sessions.ts', 'libsignal', 'src/session_cipher.js', 'async queueJob(awaitable)'],
  ['library/sessions.ts', 'libsignal', 'src/session_builder.js', 'async initOutgoing(device)'],
  ['library/sessions.ts', 'libsignal', 'src/session_record.js', 'sessions[key].indexInfo.closed === -1'],
  ['inbound/arrivals.ts', 'baileys', 'lib/Socket/messages-recv.js', "ws.on('CB:message', async (node) =>"],
  ['inbound/arrivals.ts', 'baileys', 'lib/Socket/messages-recv.js', "ws.on('CB:receipt', async (node) =>"],
  ['outbound/send.ts', 'baileys', 'lib/Socket/messages-recv.js', "ws.on('CB:ack,class:message', (node) =>"],
  [
    'outbound/send.ts',
    'baileys',
    'lib/Socket/messages-send.js',
    "keys.set({ 'sender-key-memory': { [jid]: senderKeyMap } })",
  ],
  [
    'session/reconnect.ts',
    'baileys',
    'lib/Socket/socket.js',
    "new Boom('Connection Failure', { statusCode: reason, data: node.attrs })",
  ],
  [
    'session/restriction.ts',
    'baileys',
    'lib/Socket/messages-recv.js',
    "case 'NotificationUserReachoutTimelockUpdate'",
  ],
  [
    'session/restriction.ts',
    'baileys',
    'lib/Socket/socket.js',
    "ev.emit('connection.update', { reachoutTimeLock: result })",
  ],
]

test.each(parts)('%s: %s has in %s %j', (_used, of, file, text) => {
  const source = readFileSync(join(root[of], file), 'utf8')
  expect(squeezed(source).includes(squeezed(text)), `${file} of ${of} holds it no longer`).toBe(true)
})

const squeezed = (text: string) => text.replace(/\s+/g, ' ')
