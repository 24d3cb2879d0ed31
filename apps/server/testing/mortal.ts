import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startWhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { until } from '@balcao/whatsapp-server/wait.ts'
import type { InboundEvent, Outgoing } from '../src/driver.ts'
import { clockArgs } from './hardship.ts'
import { freshFolder } from './process.ts'
import { SEED } from './sample.ts'
import { CHANGED, type Kept, type Mortal } from './talks.ts'
import type { ChildOrder, Point } from './whatsapp.child.ts'
import { SHOP } from './whatsapp.ts'

const program = fileURLToPath(new URL('./whatsapp.child.ts', import.meta.url))

/** In turn, from one that the seed names: what is encrypted is stored, its frame leaves, what was decrypted is stored, and news is written down. */
const POINTS: Point[] = [
  'keys before',
  'frame before',
  'keys after',
  'frame after',
  'news before',
  'news after',
]

/** A shop whose session runs in a process of its own, which dies and is started again; the test is its outbox. */
export interface MortalSession extends Mortal {
  close(): Promise<void>
}

let ids = 0
const newId = () => `3EB0${(Date.now() * 1000 + ++ids).toString(16).toUpperCase().padStart(18, '0')}`

export async function openMortalSession(): Promise<MortalSession> {
  const folder = freshFolder()
  const server = await startWhatsAppServer()
  const { args, env } = trustFor(server)
  const answers: Kept['answers'] = new Map()
  const settling = new Map<string, (is: string) => void>()
  let child: ChildProcess
  let qrcode = ''

  function start() {
    child = spawn(process.execPath, [...clockArgs, ...args, program, folder.path, server.url], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    createInterface({ input: child.stdout! }).on('line', line => {
      const said = JSON.parse(line) as { qrcode?: string; outcome?: { externalId: string; is: string } }
      if (said.qrcode) qrcode = said.qrcode
      if (said.outcome) settling.get(said.outcome.externalId)?.(said.outcome.is)
    })
    child.once('exit', () => {
      for (const settle of settling.values()) settle('unknown')
    })
  }

  const isAlive = () => child.exitCode === null && child.signalCode === null
  const order = (what: ChildOrder) => void (isAlive() && child.send(what, () => {}))
  const ended = () => (isAlive() ? new Promise(resolve => child.once('exit', resolve)) : Promise.resolve())

  async function trySending(message: Outgoing): Promise<string> {
    await until('the connection', () => isAlive() && server.online(SHOP), 30_000)
    const outcome = new Promise<string>(settle => settling.set(message.externalId, settle))
    if (!isAlive()) return 'unknown'
    order({ send: message })
    return outcome
  }

  const lines = (name: string) => {
    const file = join(folder.path, name)
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  }

  start()
  const shop = await server.addPhone(SHOP, { name: 'Padaria Central' })
  await shop.scan(await until('a QR code', () => qrcode || null, 15_000))
  await until('the history to be confirmed', () => server.online(SHOP) && server.owed(SHOP) === 0, 15_000)
  shop.goOffline()

  const heard = () => lines('heard').map(line => JSON.parse(line) as InboundEvent)
  return {
    server,
    async dieAndRise(kill, random) {
      order({ dieAt: POINTS[(SEED + kill) % POINTS.length]!, nth: Math.floor(random() * 12) })
      // some points are passed less often: it dies anyway
      await Promise.race([ended(), sleep(2_000)])
      child.kill('SIGKILL')
      await ended()
      start()
    },
    knows: async id => heard().some(one => one.kind === 'message' && one.externalId === id),
    async send({ chat }, body) {
      const externalId = newId()
      const message = { chat, externalId, body, content: { kind: 'text' as const } }
      for (let again = false; (await trySending({ ...message, again })) !== 'sent'; again = true)
        await sleep(5)
      settling.delete(externalId)
      answers.set(externalId, { externalId, ack: 2 })
      return externalId
    },
    async kept() {
      const all = heard()
      for (const one of all) {
        const answer = one.kind === 'ack' && answers.get(one.externalId)
        if (answer) answer.ack = Math.max(answer.ack, one.ack)
      }
      const messages = all.filter(one => one.kind === 'message').map(({ externalId }) => externalId)
      // the application deduplicates events by id
      const edits = all.filter(one => one.kind === 'edit' && one.body === CHANGED)
      const edited = edits.map(one => ('target' in one ? one.target.externalId : ''))
      return { heard: [...new Set(messages)], edited, answers }
    },
    async close() {
      child.kill('SIGKILL')
      await ended()
      await server.close()
      folder.remove()
    },
  }
}
