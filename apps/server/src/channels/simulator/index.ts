import type { Logger } from 'pino'
import { type Driver, LeaseLost, type Outcome, type SessionHost } from '../../driver.ts'
import { deliver, showTyping, told, undergo } from '../../features/simulator/simulator.actions.ts'
import {
  type PhoneTypes,
  phoneTypesTopic,
  simulatorTopic,
} from '../../features/simulator/simulator.events.ts'
import { faultOf, type SimulatorRow, untold } from '../../features/simulator/simulator.queries.ts'
import { together } from '../../platform/db.ts'
import type { Files } from '../../platform/files.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import { arrive, fetchFile } from './files.ts'
import { heardOf } from './heard.ts'

/** How often the driver looks by itself: a nudge may be lost. */
const LOOK_MS = 1_000
const BATCH = 100
const SLOW_MS = 2_000

type Deps = { scopes: Scopes; signals: Signals; files: Files; log: Logger }

/** A network of phones on a web page. It keeps its state in rows, so that it outlives both sides. */
export const simulatorDriver = ({ scopes, signals, files, log }: Deps): Driver => ({
  lib: 'simulator',
  async open(host) {
    const { companyId, whatsappId } = host
    const scope = scopes.promised(companyId)
    let online = true
    let open = true
    let again = false
    let looking: Promise<void> | null = null

    const look = () => {
      again = true
      looking ??= lookOn().finally(() => {
        looking = null
      })
    }

    async function lookOn() {
      let heard: SimulatorRow[] = []
      while (open && (again || heard.length > 0)) {
        again = false
        try {
          const [fault, rows] = await next(heard)
          heard = []
          await follow(fault)
          if (online && rows.length > 0) await passOn(host, rows)
          if (online) heard = rows
        } catch (error) {
          if (error instanceof LeaseLost) open = false
          else log.warn({ err: error, whatsappId }, 'the simulator will look again')
        }
      }
    }

    /** What the house has heard is written down on the way to what it has not. */
    function next(heard: SimulatorRow[]) {
      const look = (tx: Tx) =>
        together(
          tx.sql,
          () => faultOf(tx, whatsappId),
          () => untold(tx, whatsappId, BATCH),
        )
      if (heard.length === 0) return scope.list(look)
      return scope.transaction(async tx => {
        await told(tx, heard)
        return look(tx)
      })
    }

    /** Going offline and coming back is reported like any other network's. */
    async function follow(fault: string) {
      if (online === (fault !== 'offline')) return
      online = !online
      await host.report({ status: online ? 'CONNECTED' : 'OPENING' })
    }

    async function passOn({ hear }: SessionHost, rows: SimulatorRow[]) {
      const chats = Map.groupBy(rows, row => row.number).values()
      await Promise.all([...chats].map(chat => hear(chat.flatMap(heardOf))))
    }

    /** Does what `work` says, unless the network misbehaves at the moment. */
    async function overNetwork(work: (tx: Tx) => Promise<Outcome>): Promise<Outcome> {
      const done = await scope.transaction(async tx => {
        const fault = await faultOf(tx, whatsappId)
        return fault === 'none' ? work(tx) : fault
      })
      if (done === 'reject') return { is: 'refused', reason: 'ERR_SENDING_WAPP_MSG' }
      if (done === 'offline') return { is: 'unknown', reason: 'offline' }
      if (done !== 'slow') return done
      await new Promise(woken => setTimeout(woken, SLOW_MS))
      return scope.transaction(work)
    }

    const timer = setInterval(look, LOOK_MS)
    const deafen = [
      signals.listen(simulatorTopic(whatsappId), look),
      signals.listen(phoneTypesTopic(whatsappId), incoming => {
        const { number, state } = incoming as PhoneTypes
        if (open && online) host.typing({ kind: 'phone', value: number }, state)
      }),
    ]
    await host.report({ status: 'CONNECTED', statusReason: '', qrcode: '', pairingCode: '', retries: 0 })
    look()

    return {
      ready: () => open && online,
      async send(message) {
        const { externalId, body } = message
        const said = await arrive(files, companyId, message)
        return overNetwork(async tx => {
          log.debug({ whatsappId, externalId }, 'the simulated phone has it')
          await deliver(tx, whatsappId, { number: message.chat.value, externalId, body, said })
          return { is: 'sent' }
        })
      },
      act(operation) {
        const kind = operation.what === 'react' ? 'reaction' : operation.what
        const body =
          operation.what === 'edit' ? operation.body : operation.what === 'react' ? operation.emoji : ''
        return overNetwork(async tx => {
          const known = await undergo(tx, whatsappId, operation.target.externalId, { kind, body })
          return known ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
        })
      },
      download: source => fetchFile(files, companyId, source),
      // every phone there is has WhatsApp, but those that no phone has: 0000 at the end
      async find(number) {
        if (!online) throw new Error('offline')
        return number.endsWith('0000') ? null : number
      },
      markRead: async () => {},
      type: (chat, state) => showTyping(scope, whatsappId, chat.value, state),
      async close({ logout }) {
        open = false
        clearInterval(timer)
        for (const stop of deafen) stop()
        await looking
        if (logout) await host.report({ status: 'DISCONNECTED' })
      },
    }
  },
})
