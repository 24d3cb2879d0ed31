import type { ClientCompany } from '@balcao/contract/clients.ts'
import type { ComponentProps } from 'react'
import { whole } from '../../platform/numbers.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { FigureList } from '../../ui/figures.tsx'
import { UsedRoom } from '../companies/storage-section.tsx'
import { useClientText } from './clients.text.ts'

/** How many people its campaigns wrote to within the hour, of those that its plan allows. */
export function usedSends({ usedSends, plan }: ClientCompany, t: typeof useClientText.read): string {
  const limit = plan[0]?.campaignSendLimitPerHour ?? 0
  const used = whole(usedSends)
  return limit > 0 ? t('used', { used, limit: whole(limit) }) : t('unlimited', { used })
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
  ] satisfies ComponentProps<typeof FigureList>['figures']
  return (
    <FieldSection legend={t('use')}>
      <FigureList figures={figures} />
    </FieldSection>
  )
}
