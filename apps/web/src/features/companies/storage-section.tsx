import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sizeOf } from '../systemControl/systemControl.shown.ts'
import { storageOf } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'

/** Storage used by the own company's files: a section of the settings. */
export function StorageSection({
  companyId,
  className,
  headClass,
}: {
  companyId: number
  className?: string
  headClass?: string
}) {
  const t = useCompanyText()
  return (
    <section className={className}>
      <h2 className={headClass}>{t('storage')}</h2>
      <Text size="sm">
        <UsedRoom companyId={companyId} />
      </Text>
    </section>
  )
}

/** Storage used by a company's files, relative to its plan's limit. */
export function UsedRoom({ companyId }: { companyId: number }) {
  const t = useCompanyText()
  const { data: room } = useQuery(storageOf(companyId))
  if (!room) return '…'
  const values = { size: sizeOf(room.bytes), count: room.files }
  return room.limitMb > 0
    ? t('storageWithin', { ...values, limit: sizeOf(room.limitMb * 1_048_576) })
    : t('storageOf', values)
}
