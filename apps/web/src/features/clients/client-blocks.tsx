import { ClientChanges, ClientFields } from '@balcao/contract/clients.ts'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../platform/errors.text.ts'
import { useMay } from '../../platform/session.tsx'
import { Late } from '../../ui/late.tsx'
import { Page } from '../../ui/page.tsx'
import { AutopaySection } from '../autopay/autopay-section.tsx'
import { SubscriptionSection } from '../billing/subscription-section.tsx'
import { ContactSection } from '../billingNotices/contact-section.tsx'
import { SentSection } from '../billingNotices/sent-section.tsx'
import { oneClient } from '../companies/companies.api.ts'
import { ExportSection } from '../companyExports/export-section.tsx'
import { LimitsSection } from '../companyLimits/limits-section.tsx'
import { InvoiceSection } from '../invoices/invoice-section.tsx'
import { CreditSection } from '../payments/credit-section.tsx'
import { StatementSection } from '../payments/statement-section.tsx'
import { PlanSection } from '../plans/plan-section.tsx'
import { PricingSection } from '../pricing/pricing-section.tsx'
import { AcceptedSection } from '../terms/accepted-section.tsx'
import { VisitSection } from '../visits/visit-section.tsx'
import classes from './client-form.module.css'
import { ClientForm } from './client-form.tsx'
import { changeClient } from './clients.api.ts'
import { useClientText } from './clients.text.ts'
import { changesOf, ownChangesOf } from './clients.values.ts'
import { UseSection } from './use-section.tsx'

interface Props {
  companyId: number
  back: { path: string; label: string }
  mayAssign: boolean
}

/** Data of a company, and its plan. */
export function ClientBlocks({ companyId, back, mayAssign }: Props) {
  const t = useClientText()
  const isMaster = useMay('master')
  const { data, error } = useQuery(oneClient(companyId))
  const body = isMaster ? changesOf : ownChangesOf
  return (
    <Page title={data?.name ?? t('company')} back={back}>
      {data ? (
        <>
          <div className={classes.form}>
            {isMaster && <UseSection client={data} />}
            {data.plan.length > 0 && <LimitsSection companyId={companyId} />}
            <PlanSection companyId={companyId} mayAssign={mayAssign} />
            <SubscriptionSection companyId={companyId} />
            <AutopaySection companyId={companyId} />
            {data.plan.length > 0 && <PricingSection companyId={companyId} />}
          </div>
          <ClientForm
            key={data.plan[0]?.id ?? 0}
            client={data}
            schema={ClientFields}
            done={t('saved')}
            save={async values => {
              await changeClient(companyId, ClientChanges.parse(body(values)))
            }}
          />
          <div className={classes.lists}>
            <ContactSection companyId={companyId} />
            <InvoiceSection companyId={companyId} />
            {isMaster && <CreditSection companyId={companyId} />}
            <StatementSection companyId={companyId} />
            <SentSection companyId={companyId} />
            {isMaster && <AcceptedSection companyId={companyId} />}
            {isMaster && <ExportSection companyId={companyId} />}
            {isMaster && <VisitSection companyId={companyId} name={data.name} />}
          </div>
        </>
      ) : (
        <Late>
          <p role="status">{error && errorText(error)}</p>
        </Late>
      )}
    </Page>
  )
}
