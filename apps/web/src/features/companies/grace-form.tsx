import { Button, Group, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { chooseGrace, graceDays } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'

/** Days of grace, as long as the operator has not typed others. */
export function GraceForm() {
  const t = useCompanyText()
  const { data } = useQuery(graceDays)
  const [typed, setTyped] = useState<string | number | null>(null)
  const [busy, setBusy] = useState(false)
  const days = typed ?? data ?? ''
  const wrong = typeof days !== 'number' || !Number.isInteger(days) || days < 0 || days > 60

  async function save(event: FormEvent) {
    event.preventDefault()
    if (typeof days !== 'number' || wrong) return
    setBusy(true)
    await chooseGrace(days).then(() => {
      setTyped(null)
      notify.done(t('graceSaved'))
    }, notify.failed)
    setBusy(false)
  }

  return (
    <form onSubmit={event => void save(event)} noValidate>
      <Group align="flex-end" gap={12} mt={20} wrap="wrap">
        <NumberInput
          flex={1}
          miw={240}
          label={t('grace')}
          description={t('graceHint')}
          allowDecimal={false}
          allowNegative={false}
          min={0}
          clampBehavior="none"
          value={days}
          onChange={setTyped}
          disabled={data === undefined}
          error={typed !== null && wrong && t('graceRange')}
        />
        <Button type="submit" variant="default" loading={busy} disabled={typed === null || wrong}>
          {t('graceSave')}
        </Button>
      </Group>
    </form>
  )
}
