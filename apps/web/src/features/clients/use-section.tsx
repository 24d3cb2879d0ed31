import type { ClientCompany } from '@balcao/contract/clients.ts'
import { useQuery } from '@tanstack/react-query'
import { whole } from '../../platform/numbers.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { sizeOf } from '../systemControl/systemControl.shown.ts'
import { storageOf } from './clients.api.ts'
import { useClientText } from './clients.text.ts'
import classes from './use-section.module.css'

/** How many people its campaigns wrote to within the hour, of those that its plan allows. */
export function usedSends({ usedSends, plan }: ClientCompany, t: typeof useClientText.read): string {
  const limit = plan[0]?.campaignSendLimitPerHour ?? 0
  const used = whole(usedSends)
  return limit > 0 ? t('used', { used, limit: whole(limit) }) : t('unlimited', { used })
}

/** Storage used by a company's files, relative to its plan's limit. */
export function UsedRoom({ companyId }: { companyId: number }) {
  const t = useClientText()
  const { data: room } = useQuery(storageOf(companyId))
  if (!room) return '…'
  const values = { size: sizeOf(room.bytes), count: room.files }
  return room.limitMb > 0
    ? t('storageWithin', { ...values, limit: sizeOf(room.limitMb * 1_048_576) })
    : t('storageOf', values)
}

/** What a company uses of what it may. */
export function UseSection({ client }: { client: ClientCompany }) {
  const t = useClientText()
  const of = (used: number, limit: number) => t('used', { used: whole(used), limit: whole(limit) })
  const figures = [
    [t('attendants'), of(client.usedAttendants, client.numberAttendants)],
    [t('connections'), of(client.usedConnections, client.numberConections)],
    [t('sends'), usedSends(client, t)],
    [t('storage'), <UsedRoom key="room" companyId={client.id} />],
  ] as const
  return (
    <FieldSection legend={t('use')}>
      <dl className={classes.figures}>
        {figures.map(([what, figure]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </FieldSection>
  )
}
