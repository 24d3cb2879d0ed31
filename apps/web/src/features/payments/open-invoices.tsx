import type { Invoice } from '@balcao/contract/invoices.ts'
import { brl } from '@balcao/contract/plans.rules.ts'
import { Button, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { isOpen } from '../invoices/invoice-state.tsx'
import { invoiceList } from '../invoices/invoices.api.ts'
import { periodOf } from '../invoices/period.ts'
import { companyPlan } from '../plans/plans.api.ts'
import { usePaymentText } from './payments.text.ts'

interface Choosing {
  /** 0: none. */
  chosen: number
  onChoose(invoiceId: number): void
  /** Shown where no invoice is open. */
  none: string
}

/** Chooses one of the open invoices of a company. */
export function OpenInvoices({ companyId, ...choosing }: Choosing & { companyId: number }) {
  const { data } = useQuery(companyPlan(companyId))
  const planId = data?.[0]?.id
  if (data && !planId) return <Text size="sm">{choosing.none}</Text>
  return planId && <OpenOfPlan planId={planId} {...choosing} />
}

function OpenOfPlan({ planId, chosen, onChoose, none }: Choosing & { planId: number }) {
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
        !list.isPending && !list.hasNextPage && <Text size="sm">{none}</Text>
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
