import type { Autopay } from '@balcao/contract/autopay.ts'
import { Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconExternalLink, IconInfoCircle } from '@tabler/icons-react'
import { shownTime } from '../../platform/time.ts'
import { FigureList } from '../../ui/figures.tsx'
import { ScannedCode } from '../../ui/pix-code.tsx'
import { Banner } from '../../ui/status.tsx'
import { useAutopayText } from './autopay.text.ts'
import { useUncharged } from './uncharged.ts'

/** How far automatic payment is, and what the payer has to do. */
export function ShownWay({ autopay }: { autopay: Autopay }) {
  const t = useAutopayText()
  const uncharged = useUncharged()
  const { kind, state, problem, next } = autopay
  if (state === 'ended') return <Ended autopay={autopay} />
  return (
    <>
      <FigureList
        figures={[
          [t('way'), wayOf(t, autopay)],
          [t('state'), t(state)],
          ...(state === 'active'
            ? [
                [
                  t('next'),
                  next
                    ? t('nextIs', { value: next.valueBrl, day: shownTime(next.day).format('L') })
                    : t('noNext'),
                ] as const,
              ]
            : []),
        ]}
      />
      {problem && (
        <Banner tone="warning" icon={<IconAlertTriangle size={16} aria-hidden />}>
          {t('problem', { problem: uncharged(problem) })}
        </Banner>
      )}
      {state === 'wanted' && <Text size="sm">{t('wantedHint')}</Text>}
      {state === 'waiting' &&
        (kind === 'pix' ? <PixWaiting autopay={autopay} /> : <CardWaiting autopay={autopay} />)}
    </>
  )
}

/** The means, and of a card what is kept of it. */
export function wayOf(
  t: typeof useAutopayText.read,
  { kind, brand, lastDigits: digits }: Pick<Autopay, 'kind' | 'brand' | 'lastDigits'>,
): string {
  return kind === 'card' && digits ? t('cardOf', { brand: brand || t('card'), digits }) : t(kind)
}

function PixWaiting({ autopay: { pixCode, valueBrl } }: { autopay: Autopay }) {
  const t = useAutopayText()
  return (
    <>
      <Text size="sm">{t('pixWaiting', { value: valueBrl })}</Text>
      {pixCode && <ScannedCode code={pixCode} label={t('code')} />}
    </>
  )
}

function CardWaiting({ autopay: { paymentLink, valueBrl } }: { autopay: Autopay }) {
  const t = useAutopayText()
  if (!paymentLink) return <Text size="sm">{t('cardLater')}</Text>
  return (
    <>
      <Text size="sm">{t('cardWaiting', { value: valueBrl })}</Text>
      <Group>
        <Button
          component="a"
          href={paymentLink}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('toPage')}
        </Button>
      </Group>
    </>
  )
}

function Ended({ autopay }: { autopay: Autopay }) {
  const t = useAutopayText()
  const { reason, problem, kind } = autopay
  const isWarning = reason !== 'byCompany' && reason !== 'byMaster' && reason !== 'replaced'
  const shown = reason === '' ? t('ended') : t(reason, { problem })
  return (
    <Banner
      tone={isWarning ? 'warning' : 'info'}
      icon={
        isWarning ? <IconAlertTriangle size={16} aria-hidden /> : <IconInfoCircle size={16} aria-hidden />
      }
    >
      {t('endedBecause', { way: t(kind), reason: shown.trim() })}
    </Banner>
  )
}
