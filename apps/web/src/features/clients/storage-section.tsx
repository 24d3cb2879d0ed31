import { Text } from '@mantine/core'
import { useClientText } from './clients.text.ts'
import { UsedRoom } from './use-section.tsx'

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
  const t = useClientText()
  return (
    <section className={className}>
      <h2 className={headClass}>{t('storage')}</h2>
      <Text size="sm">
        <UsedRoom companyId={companyId} />
      </Text>
    </section>
  )
}
