import type { Autopay, AutopayKind, ShownAutopay } from '@balcao/contract/autopay.ts'
import { invoiceChannelOf } from '@balcao/contract/invoices.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCreditCard, IconQrcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { followList } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { Late } from '../../ui/late.tsx'
import { companyPlan } from '../plans/plans.api.ts'
import { AUTOPAY, chooseAutopay, companyAutopay } from './autopay.api.ts'
import { useAutopayText } from './autopay.text.ts'
import { ShownWay } from './autopay-state.tsx'
import { EndAutopayDialog } from './end-autopay.dialog.tsx'

/** How the invoices of a company are paid by themselves; nothing where that is not offered and never was. */
export function AutopaySection({ companyId }: { companyId: number }) {
  const t = useAutopayText()
  const { data: plans } = useQuery(companyPlan(companyId))
  const planId = plans?.[0]?.id
  const { data, isError, error } = useQuery({ ...companyAutopay(companyId), enabled: planId !== undefined })
  useEffect(() => (planId ? followList(invoiceChannelOf(planId), [AUTOPAY]) : undefined), [planId])
  if (!planId || (data && data.offered.length === 0 && !isCurrent(data.autopay))) return null
  return (
    <FieldSection legend={t('title')}>
      {data ? (
        <Shown companyId={companyId} {...data} />
      ) : (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
    </FieldSection>
  )
}

const isCurrent = (autopay: Autopay | null) => autopay !== null && autopay.state !== 'ended'

function Shown({ companyId, offered, autopay }: ShownAutopay & { companyId: number }) {
  const t = useAutopayText()
  const [ending, setEnding] = useState(false)
  return (
    <Stack gap={16}>
      {!isCurrent(autopay) && <Text size="sm">{t('hint')}</Text>}
      {autopay && <ShownWay autopay={autopay} />}
      {isCurrent(autopay) ? (
        <Group>
          <Button variant="default" onClick={() => setEnding(true)}>
            {t('end')}
          </Button>
        </Group>
      ) : (
        <Choices companyId={companyId} offered={offered} />
      )}
      {ending && <EndAutopayDialog companyId={companyId} onClose={() => setEnding(false)} />}
    </Stack>
  )
}

function Choices({ companyId, offered }: { companyId: number; offered: AutopayKind[] }) {
  const t = useAutopayText()
  const [busy, setBusy] = useState<AutopayKind | null>(null)
  const choose = (kind: AutopayKind) => {
    setBusy(kind)
    return chooseAutopay(companyId, kind)
      .catch(notify.failed)
      .finally(() => setBusy(null))
  }
  return (
    <Group gap={8}>
      {offered.map(kind => (
        <Button
          key={kind}
          variant="default"
          loading={busy === kind}
          disabled={busy !== null && busy !== kind}
          leftSection={kind === 'pix' ? <IconQrcode size={16} /> : <IconCreditCard size={16} />}
          onClick={() => void choose(kind)}
        >
          {t(kind === 'pix' ? 'choosePix' : 'chooseCard')}
        </Button>
      ))}
    </Group>
  )
}
