import { Button, Group, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { chooseSetting, platformSettings } from './companies.api.ts'
import { useCompanyText } from './companies.text.ts'

/** Numbers that the operator decides for all companies: days of grace, unpaid periods, days to choose, fine and interest, what is trusted. */
export function BillingNumbers() {
  return (
    <>
      <CountForm setting="graceDays" name="grace" most={60} />
      <CountForm setting="unpaidPeriods" name="unpaidPeriods" most={12} />
      <CountForm setting="limitDays" name="limitDays" least={1} most={60} />
      <CountForm setting="lateFine" name="lateFine" most={10} decimals={2} />
      <CountForm setting="lateInterest" name="lateInterest" most={10} decimals={2} />
      <CountForm setting="upgradeTrust" name="upgradeTrust" most={999_999} mayBeEmpty />
    </>
  )
}

type Name = 'unpaidPeriods' | 'limitDays' | 'lateFine' | 'lateInterest' | 'upgradeTrust'

interface Counted {
  setting: Name | 'graceDays'
  /** Of its texts. */
  name: Name | 'grace'
  least?: number
  decimals?: number
  most: number
  /** Without a number any is meant. */
  mayBeEmpty?: boolean
}

/** A number that the operator decides; the stored one, as long as no other was typed. */
function CountForm({ setting, name, least = 0, most, decimals = 0, mayBeEmpty = false }: Counted) {
  const t = useCompanyText()
  const stored = useQuery(platformSettings).data?.get(setting)
  const [typed, setTyped] = useState<string | number | null>(null)
  const [busy, setBusy] = useState(false)
  const count = typed ?? (stored && stored.value !== '' ? Number(stored.value) : '')
  const isEmpty = mayBeEmpty && count === ''
  const wrong =
    !isEmpty &&
    (typeof count !== 'number' ||
      !Number.isInteger(Math.round(count * 10 ** (decimals + 2)) / 100) ||
      count < least ||
      count > most)

  async function save(event: FormEvent) {
    event.preventDefault()
    if (wrong) return
    setBusy(true)
    await chooseSetting(setting, String(count)).then(() => {
      setTyped(null)
      notify.done(t(`${name}Saved`))
    }, notify.failed)
    setBusy(false)
  }

  return (
    <form onSubmit={event => void save(event)} noValidate>
      <Group align="flex-end" gap={12} mt={20} wrap="wrap">
        <NumberInput
          flex={1}
          miw={240}
          label={t(name)}
          description={t(`${name}Hint`)}
          allowDecimal={decimals > 0}
          decimalScale={decimals}
          allowNegative={false}
          min={least}
          clampBehavior="none"
          value={count}
          onChange={setTyped}
          disabled={!stored}
          error={typed !== null && wrong && t(`${name}Range`)}
        />
        <Button type="submit" variant="default" loading={busy} disabled={typed === null || wrong}>
          {t(`${name}Save`)}
        </Button>
      </Group>
    </form>
  )
}
