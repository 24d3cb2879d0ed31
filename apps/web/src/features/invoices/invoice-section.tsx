import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { companyPlan } from '../plans/plans.api.ts'
import { InvoiceDialog } from './invoice.dialog.tsx'
import { InvoiceTable } from './invoice-table.tsx'
import { followInvoices } from './invoices.live.ts'
import { useInvoiceText } from './invoices.text.ts'

/** Invoices and payments of a company; masters add invoices and record payments. */
export function InvoiceSection({ companyId }: { companyId: number }) {
  const t = useInvoiceText()
  const { data } = useQuery(companyPlan(companyId))
  const planId = data?.[0]?.id
  return (
    <FieldSection legend={t('invoices')}>
      {data && !planId && <p>{t('noPlan')}</p>}
      {planId && <Invoices planId={planId} />}
    </FieldSection>
  )
}

function Invoices({ planId }: { planId: number }) {
  const t = useInvoiceText()
  const isMaster = useMay('master')
  const [adding, setAdding] = useState(false)
  useEffect(() => followInvoices(planId), [planId])
  return (
    <>
      {isMaster && (
        <Group justify="flex-end" mb={12}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('add')}
          </Button>
        </Group>
      )}
      <InvoiceTable planId={planId} isMaster={isMaster} />
      {adding && <InvoiceDialog planId={planId} onClose={() => setAdding(false)} />}
    </>
  )
}
