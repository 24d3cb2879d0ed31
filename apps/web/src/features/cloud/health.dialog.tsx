import { restrictionsAt, troublesOf } from '@balcao/contract/cloud.standing.rules.ts'
import type { CloudHealth } from '@balcao/contract/cloud.ts'
import type { Connection } from '@balcao/contract/connections.ts'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { reasonText } from '../../platform/errors.text.ts'
import { clock } from '../../platform/time.ts'
import { useBranding } from '../../shell/branding.ts'
import { CopiedField } from '../../ui/copied-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useCloudText } from './cloud.text.ts'
import classes from './health.module.css'
import { QualityMark } from './quality-mark.tsx'
import { TroubleMark } from './trouble-mark.tsx'

interface Props {
  connection: Connection
  /** Known only right after it was typed. */
  verifyToken?: string | undefined
  onClose(): void
}

/** Where Meta has to call, and how it thinks of the number. */
export function HealthDialog({ connection: { name, cloud }, verifyToken, onClose }: Props) {
  const t = useCloudText()
  const { backendUrl } = useBranding()
  if (!cloud) return null
  return (
    <Dialog title={t('healthOf', { name })} onClose={onClose} size={620}>
      <Stack gap={12}>
        <Text size="sm">{t('webhookSteps')}</Text>
        <CopiedField
          label={t('webhookAddress')}
          value={(backendUrl || location.origin) + cloud.webhookPath}
        />
        {verifyToken && <CopiedField label={t('verifyToken')} value={verifyToken} />}
        <Facts health={cloud.health} />
      </Stack>
    </Dialog>
  )
}

/** What Meta holds against the account, in its words and with its dates. */
function standingFacts(health: CloudHealth, t: ReturnType<typeof useCloudText>): [string, ReactNode][] {
  const until = (at: string | null) => (at ? t('until', { at: clock(at).format('L LT') }) : '')
  const restrictions = restrictionsAt(health, Date.now()).map(({ type, until: at }) =>
    `${isRestriction(type) ? t(type) : type} ${until(at)}`.trim(),
  )
  const facts: [string, ReactNode][] = []
  if (health.banState && health.banDate) facts.push([t('banDate'), health.banDate])
  if (restrictions.length > 0) facts.push([t('restrictions'), restrictions.join(', ')])
  if (health.violation)
    facts.push([t('violation'), `${clock(health.violatedAt ?? '').format('L LT')} ${health.violation}`])
  return facts
}

const RESTRICTIONS = [
  'RESTRICTED_ADD_PHONE_NUMBER_ACTION',
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
] as const
const isRestriction = (type: string): type is (typeof RESTRICTIONS)[number] =>
  RESTRICTIONS.some(one => one === type)

function Facts({ health }: { health: CloudHealth }) {
  const t = useCloudText()
  const moment = (at: string | null, none: string) => (at ? clock(at).format('L LT') : none)
  const limit = health.messagingLimit.replace(/^TIER_/, '')
  const speed = health.throughput === 'STANDARD' || health.throughput === 'HIGH' ? t(health.throughput) : ''
  const unknown = t('unknownYet')
  const troubles = troublesOf(health, Date.now())
  const facts: [string, ReactNode][] = [
    ...standingFacts(health, t),
    [t('businessName'), health.name || unknown],
    [t('quality'), health.quality ? <QualityMark key="q" quality={health.quality} /> : unknown],
    [t('messagingLimit'), limit === 'UNLIMITED' ? t('unlimited') : limit || unknown],
    [t('throughput'), speed || unknown],
    [t('tokenExpires'), health.checkedAt ? moment(health.tokenExpiresAt, t('forever')) : unknown],
    [t('lastWebhook'), moment(health.lastWebhookAt, t('never'))],
    [t('checked'), moment(health.checkedAt, t('never'))],
  ]
  if (troubles.length > 0)
    facts.unshift([t('troubles'), troubles.map(one => <TroubleMark key={one} trouble={one} />)])
  if (health.lastError)
    facts.push([t('lastError'), `${moment(health.lastErrorAt, '')} ${reasonText(health.lastError)}`.trim()])
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
