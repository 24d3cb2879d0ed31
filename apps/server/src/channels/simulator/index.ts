import type { Logger } from 'pino'
import { type CheckLease, type Driver, LeaseLost, type Outcome, type SessionHost } from '../../driver.ts'
import { deliver, showTyping, undergo } from '../../features/simulator/simulator.actions.ts'
import {
  type PhoneTypes,
  phoneTypesTopic,
  simulatorTopic,
} from '../../features/simulator/simulator.events.ts'
import {
  faultOf,
  markReported,
  type SimulatorRow,
  unreported,
} from '../../features/simulator/simulator.queries.ts'
import type { Files } from '../../platform/files/files.ts'
import type { Signals } from '../../platform/live/signals.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scopes, Tx } from '../../platform/scope.ts'
import { eventsOf, fetchFile, phoneContentOf } from './translate.ts'

/** Polling: a signal may be lost. */
const LOOK_MS = 5_000
const BATCH = 100
const SLOW_MS = 2_000

type Deps = { scopes: Scopes; signals: Signals; files: Files; log: Logger }

/** A network of phones on a web page. Its state is rows, which outlive the driver and the page. */
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
      let reported: SimulatorRow[] = []
      while (open && (again || reported.length > 0)) {
        again = false
        try {
          const [fault, rows] = await next(reported)
          reported = []
          await follow(fault)
          if (online && rows.length > 0) await report(host, rows)
          if (online) reported = rows
        } catch (error) {
          if (error instanceof LeaseLost) open = false
          else log.warn({ err: error, whatsappId }, 'the simulator will look again')
        }
      }
    }

    /** Marks the rows that were reported, and reads the next ones, in one transaction. */
    function next(reported: SimulatorRow[]) {
      const look = (tx: Tx) =>
        together(
          tx.sql,
          () => faultOf(tx, whatsappId),
          () => unreported(tx, whatsappId, BATCH),
        )
      if (reported.length === 0) return scope.list(look)
      return host.write(async tx => {
        await markReported(tx, reported)
        return look(tx)
      })
    }

    /** Going offline and coming back is reported like any other network's. */
    async function follow(fault: string) {
      if (online === (fault !== 'offline')) return
      online = !online
      await host.report({ status: online ? 'CONNECTED' : 'OPENING' })
    }

    async function report({ receive }: SessionHost, rows: SimulatorRow[]) {
      const chats = Map.groupBy(rows, row => row.number).values()
      await Promise.all([...chats].map(chat => receive(chat.flatMap(eventsOf))))
    }

    /** Runs `work` over the network with the fault that is set. */
    async function overNetwork(checkLease: CheckLease, work: (tx: Tx) => Promise<Outcome>): Promise<Outcome> {
      await checkLease()
      const done = await scope.transaction(async tx => {
        const fault = await faultOf(tx, whatsappId)
        return fault === 'none' ? work(tx) : fault
      })
      if (done === 'reject') return { is: 'refused', reason: 'ERR_SENDING_WAPP_MSG' }
      if (done === 'offline') return { is: 'unknown', reason: 'offline' }
      if (done !== 'slow') return done
      await new Promise(woken => setTimeout(woken, SLOW_MS))
      await checkLease()
      return scope.transaction(work)
    }

    const timer = setInterval(look, LOOK_MS)
    const subscriptions = [
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
      async send(message, checkLease) {
        const { externalId, body } = message
        const content = await phoneContentOf(files, companyId, message)
        return overNetwork(checkLease, async tx => {
          log.debug({ whatsappId, externalId }, 'the simulated phone has it')
          await deliver(tx, whatsappId, { number: message.chat.value, externalId, body, content })
          return { is: 'sent' }
        })
      },
      act(operation, checkLease) {
        const kind = operation.what === 'react' ? 'reaction' : operation.what
        const body =
          operation.what === 'edit' ? operation.body : operation.what === 'react' ? operation.emoji : ''
        return overNetwork(checkLease, async tx => {
          const known = await undergo(tx, whatsappId, operation.target.externalId, { kind, body })
          return known ? { is: 'sent' } : { is: 'refused', reason: 'ERR_FETCH_WAPP_MSG' }
        })
      },
      download: source => fetchFile(files, companyId, source),
      // every number has an account, except those that end in 0000
      async find(number) {
        if (!online) throw new Error('offline')
        return number.endsWith('0000') ? null : number
      },
      markRead: async () => {},
      type: (chat, state) => showTyping(scope, whatsappId, chat.value, state),
      async close({ logout }) {
        open = false
        clearInterval(timer)
        for (const end of subscriptions) end()
        await looking
        if (logout) await host.report({ status: 'DISCONNECTED' })
      },
    }
  },
})
