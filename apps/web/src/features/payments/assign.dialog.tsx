import type { Invoice } from '@balcao/contract/invoices.ts'
import type { Payment } from '@balcao/contract/payments.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { isOpen } from '../invoices/invoice-state.tsx'
import { invoiceList } from '../invoices/invoices.api.ts'
import { periodOf } from '../invoices/period.ts'
import { companyPlan } from '../plans/plans.api.ts'
import { PaymentCompany, usePaymentCompany } from './payment-company.tsx'
import { assignPayment } from './payments.api.ts'
import { usePaymentText } from './payments.text.ts'
import { useSettling } from './settling.ts'

/** Pays one of the open invoices of a company with what is free of a payment. */
export function AssignDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const t = usePaymentText()
  const { company, choose } = usePaymentCompany(payment)
  const [invoiceId, setInvoice] = useState(0)
  const { busy, settle } = useSettling(t('assigned'), onClose)
  return (
    <Dialog title={t('assignNamed', { value: brl(payment.freeValue) })} onClose={onClose}>
      <Stack gap={12}>
        <PaymentCompany
          payment={payment}
          company={company}
          onPick={row => {
            choose(row)
            setInvoice(0)
          }}
        />
        {company && (
          <OpenInvoices key={company.id} companyId={company.id} chosen={invoiceId} onChoose={setInvoice} />
        )}
        <Text size="sm">{t('assignHint')}</Text>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button
          disabled={!company || invoiceId === 0}
          loading={busy}
          onClick={() => void settle(() => assignPayment(payment.id, invoiceId))}
        >
          {t('assign')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface Choosing {
  chosen: number
  onChoose(invoiceId: number): void
}

function OpenInvoices({ companyId, ...choosing }: Choosing & { companyId: number }) {
  const t = usePaymentText()
  const { data } = useQuery(companyPlan(companyId))
  const planId = data?.[0]?.id
  if (data && !planId) return <Text size="sm">{t('noOpen')}</Text>
  return planId && <OpenOfPlan planId={planId} {...choosing} />
}

function OpenOfPlan({ planId, chosen, onChoose }: Choosing & { planId: number }) {
  const t = usePaymentText()
  const list = useSearchedList(invoiceList(planId), '')
  const open = list.rows.filter(isOpen)
  return (
    <>
      {open.length > 0 ? (
        <NativeSelect
          label={t('invoice')}
          data={[
            { value: '0', label: t('chooseInvoice') },
            ...open.map(one => ({ value: String(one.id), label: shown(one, t) })),
          ]}
          value={String(chosen)}
          onChange={event => onChoose(Number(event.currentTarget.value))}
        />
      ) : (
        !list.isPending && !list.hasNextPage && <Text size="sm">{t('noOpen')}</Text>
      )}
      {list.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('older')}
        </Button>
      )}
    </>
  )
}

const shown = (invoice: Invoice, t: typeof usePaymentText.read) =>
  t('invoiceShown', { period: periodOf(invoice), rest: brl(invoice.value - invoice.paidValue) })
