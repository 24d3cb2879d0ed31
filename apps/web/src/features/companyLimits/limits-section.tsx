import type { CompanyLimits, Limited } from '@balcao/contract/companyLimits.ts'
import { Button, Stack, Text } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { shownTime } from '../../platform/time.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { Banner } from '../../ui/status.tsx'
import { limitsOf } from './companyLimits.api.ts'
import { useLimitsText } from './companyLimits.text.ts'
import { LimitsDialog } from './limits.dialog.tsx'

/** What is above the limits of a company's plan, and rests; nothing where that is nothing. */
export function LimitsSection({ companyId }: { companyId: number }) {
  const chooses = useMay('administration')
  const { data } = useQuery({ ...limitsOf(companyId), enabled: chooses })
  return data && isOver(data) ? <Over limits={data} /> : null
}

const restingIn = ({ rows }: Limited) => rows.filter(({ isResting }) => isResting).length

const isOver = ({ chooseBy, users, connections }: CompanyLimits) =>
  chooseBy !== null || restingIn(users) + restingIn(connections) > 0

function Over({ limits }: { limits: CompanyLimits }) {
  const t = useLimitsText()
  const [choosing, setChoosing] = useState(false)
  const { chooseBy, users, connections } = limits
  return (
    <FieldSection legend={t('limits')}>
      <Stack gap={12}>
        <Banner
          tone="warning"
          icon={<IconScale size={16} aria-hidden />}
          action={
            <Button variant="default" size="xs" onClick={() => setChoosing(true)}>
              {t('choose')}
            </Button>
          }
        >
          {chooseBy
            ? t('chooseBy', { day: shownTime(chooseBy).format('L') })
            : t('restNow', { users: restingIn(users), connections: restingIn(connections) })}
        </Banner>
        <Text size="sm" c="dimmed">
          {t('resting')}
        </Text>
      </Stack>
      {choosing && <LimitsDialog limits={limits} onClose={() => setChoosing(false)} />}
    </FieldSection>
  )
}
