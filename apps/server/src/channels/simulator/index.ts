import type { Logger } from 'pino'
import { deliver, told } from '../../features/simulator/simulator.actions.ts'
import { simulatorTopic } from '../../features/simulator/simulator.events.ts'
import { faultOf, type SimulatorRow, untold } from '../../features/simulator/simulator.queries.ts'
import type { Scopes } from '../../platform/scope.ts'
import type { Signals } from '../../platform/signals.ts'
import { type Driver, type Heard, LeaseLost, type SessionDoor } from '../driver.ts'

/** How often the driver looks by itself: a nudge may be lost. */
const LOOK_MS = 1_000
const BATCH = 100
const SLOW_MS = 2_000

type Doors = { scopes: Scopes; signals: Signals; log: Logger }

/** A network of phones on a web page. It keeps its state in rows, so that it outlives both sides. */
export const simulatorDriver = ({ scopes, signals, log }: Doors): Driver => ({
  lib: 'simulator',
  async open(door) {
    const { companyId, whatsappId } = door
    const scope = scopes.inCompany(companyId)
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
      while (open && again) {
        again = false
        try {
          await follow(await scope.transaction(tx => faultOf(tx, whatsappId)))
          if (online && (await passOn(door))) again = true
        } catch (error) {
          if (error instanceof LeaseLost) open = false
          else log.warn({ err: error, whatsappId }, 'the simulator will look again')
        }
      }
    }

    /** Going offline and coming back is reported like any other network's. */
    async function follow(fault: string) {
      if (online === (fault !== 'offline')) return
      online = !online
      await door.report({ status: online ? 'CONNECTED' : 'OPENING' })
    }

    async function passOn({ hear }: SessionDoor): Promise<boolean> {
      const rows = await scope.transaction(tx => untold(tx, whatsappId, BATCH))
      for (const chat of Map.groupBy(rows, row => row.number).values()) await hear(chat.map(heardOf))
      if (rows.length > 0) await told(scope, rows)
      return rows.length === BATCH
    }

    const timer = setInterval(look, LOOK_MS)
    const deafen = signals.listen(simulatorTopic(whatsappId), look)
    await door.report({ status: 'CONNECTED', statusReason: '', qrcode: '', pairingCode: '', retries: 0 })
    look()

    return {
      ready: () => open && online,
      async send({ chat, externalId, body }) {
        const fault = await scope.transaction(tx => faultOf(tx, whatsappId))
        if (fault === 'reject') return { is: 'refused', reason: 'ERR_SENDING_WAPP_MSG' }
        if (fault === 'offline') return { is: 'unknown', reason: 'offline' }
        if (fault === 'slow') await new Promise(done => setTimeout(done, SLOW_MS))
        await deliver(scope, whatsappId, { number: chat.value, externalId, body })
        return { is: 'sent' }
      },
      markRead: async () => {},
      async close({ logout }) {
        open = false
        clearInterval(timer)
        deafen()
        await looking
        if (logout) await door.report({ status: 'DISCONNECTED' })
      },
    }
  },
})

function heardOf({ number, name, externalId, fromMe, body, ack, createdAt }: SimulatorRow): Heard {
  const chat = { kind: 'phone' as const, value: number }
  if (fromMe) return { kind: 'ack', chat, externalId, ack, at: new Date().toISOString() }
  return { kind: 'message', chat, externalId, fromMe: false, name, body, mediaType: null, at: createdAt }
}
