import { monthBefore } from '@balcao/contract/revenue.rules.ts'
import { Select } from '@mantine/core'
import { clock, shownTime } from '../../platform/time.ts'
import { useRevenueText } from './revenue.text.ts'

/** A year ahead, since invoices are due then, and three years back. */
const AHEAD = 12
const ALL = 48

export const currentMonth = () => clock().format('YYYY-MM')

interface Props {
  /** '' for all, where that may be chosen. */
  value: string
  onChange(month: string): void
  mayBeAll?: boolean
}

/** A month, by its number and year. */
export function MonthSelect({ value, onChange, mayBeAll = false }: Props) {
  const t = useRevenueText()
  const last = monthBefore(currentMonth(), -AHEAD)
  const months = Array.from({ length: ALL }, (_, at) => monthBefore(last, at))
  const data = (months.includes(value) || value === '' ? months : [value, ...months]).map(month => ({
    ...{ value: month, label: shownTime(`${month}-01`).format('MM/YYYY') },
  }))
  return (
    <Select
      label={t('month')}
      data={data}
      value={value || null}
      placeholder={t('allMonths')}
      onChange={month => onChange(month ?? '')}
      allowDeselect={false}
      clearable={mayBeAll}
      searchable
    />
  )
}
