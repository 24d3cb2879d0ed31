import type { Payment } from '@balcao/contract/payments.ts'
import { useState } from 'react'
import { type Named, RowPicker } from '../../ui/row-picker.tsx'
import { clientList } from '../companies/companies.api.ts'
import { usePaymentText } from './payments.text.ts'

/** The company of a payment; of one that has none, the one that is chosen. */
export function usePaymentCompany({ companyId, companyName }: Payment) {
  const [chosen, choose] = useState<Named | null>(null)
  return { company: companyId === null ? chosen : { id: companyId, name: companyName }, choose }
}

/** Asks for the company, where the payment has none. */
export function PaymentCompany({
  payment,
  company,
  onPick,
}: {
  payment: Payment
  company: Named | null
  onPick(row: Named | null): void
}) {
  const t = usePaymentText()
  if (payment.companyId !== null) return <p>{payment.companyName}</p>
  return (
    <RowPicker
      data-autofocus
      label={t('company')}
      list={clientList}
      minimum={0}
      failed={t('companiesFailed')}
      value={company}
      onPick={onPick}
    />
  )
}
