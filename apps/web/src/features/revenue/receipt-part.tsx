import { RECEIPT_KINDS, type ReceiptKind } from '@balcao/contract/revenue.rules.ts'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { currentMonth, MonthSelect } from './month-select.tsx'
import { ReceiptTable } from './receipt-table.tsx'
import { saveReceipts } from './revenue.api.ts'
import classes from './revenue.module.css'
import { useRevenueText } from './revenue.text.ts'
import { SheetButton } from './sheet-button.tsx'

/** Money that came in within a month, and its file for bookkeeping. */
export function ReceiptPart() {
  const t = useRevenueText()
  const [month, setMonth] = useState(currentMonth)
  const [kind, setKind] = useState<ReceiptKind | null>(null)
  const filter = { month, ...(kind && { kind }) }
  return (
    <div className={classes.part}>
      <div className={classes.filter}>
        <MonthSelect value={month} onChange={chosen => setMonth(chosen || currentMonth())} />
        <Select
          label={t('kind')}
          data={RECEIPT_KINDS.map(value => ({ value, label: t(value) }))}
          placeholder={t('allKinds')}
          value={kind}
          onChange={value => setKind(RECEIPT_KINDS.find(one => one === value) ?? null)}
          clearable
        />
        <SheetButton save={decimals => saveReceipts(filter, decimals)} />
      </div>
      <ReceiptTable label={t('receipts')} filter={filter} />
    </div>
  )
}
