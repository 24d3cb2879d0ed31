import { CollectorName } from '@balcao/contract/collectors.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { CollectorAccount } from './collector-account.tsx'
import { chooseCollector, collectorList } from './collectors.api.ts'
import { COLLECTOR_LABELS } from './collectors.labels.ts'
import { useCollectorText } from './collectors.text.ts'

const NONE = ''

/** Who collects the invoices of the platform: the operator’s choice, with the accounts that it needs. */
export default function CollectorsSection({
  className,
  headClass,
}: {
  className: string
  headClass: string
}) {
  const t = useCollectorText()
  const { data } = useQuery(collectorList)
  const [busy, setBusy] = useState(false)
  if (!data) return null

  async function choose(written: string) {
    setBusy(true)
    const name = CollectorName.safeParse(written).data ?? null
    await chooseCollector(name).then(() => notify.done(t('chosen')), notify.failed)
    setBusy(false)
  }

  return (
    <section className={className}>
      <h2 className={headClass}>{t('title')}</h2>
      <NativeSelect
        label={t('who')}
        description={t('whoHint')}
        disabled={busy}
        value={data.find(({ isChosen }) => isChosen)?.name ?? NONE}
        onChange={event => void choose(event.currentTarget.value)}
        data={[
          { value: NONE, label: t('none') },
          ...data.map(({ name, isSetUp }) => ({
            value: name,
            label: isSetUp ? COLLECTOR_LABELS[name] : t('unset', { name: COLLECTOR_LABELS[name] }),
            disabled: !isSetUp,
          })),
        ]}
      />
      {data.map(collector => (
        <CollectorAccount key={collector.name} collector={collector} />
      ))}
    </section>
  )
}
