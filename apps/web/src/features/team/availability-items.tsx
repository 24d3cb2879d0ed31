import { Menu } from '@mantine/core'
import { IconCheck, IconCircleCheck, IconCoffee, IconMoon, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useGoTo } from '../../ui/go-to.ts'
import { ownAvailability, reasonChoices, setAvailability } from './team.api.ts'
import { useTeamText } from './team.text.ts'

/** In the menu of the account: available, a pause with a reason of the company, away. */
export function AvailabilityItems() {
  const t = useTeamText()
  const goTo = useGoTo()
  const { data: own } = useQuery(ownAvailability)
  const { data: reasons = [] } = useQuery(reasonChoices)
  if (!own) return null
  const { state, cause, reason } = own
  const pauses = [{ id: null, name: t('pause') }, ...reasons]
  return (
    <>
      <Menu.Label>{t('availability')}</Menu.Label>
      <Choice
        icon={<IconCircleCheck size={16} aria-hidden />}
        label={t('available')}
        isOn={state === 'available'}
        choose={() => setAvailability({ state: 'available' })}
      />
      {pauses.map(({ id, name }) => (
        <Choice
          key={id}
          icon={<IconCoffee size={16} aria-hidden />}
          label={id === null ? name : t('pauseFor', { reason: name })}
          isOn={state === 'pause' && (reason?.id ?? null) === id}
          choose={() => setAvailability({ state: 'pause', reasonId: id })}
        />
      ))}
      <Choice
        icon={<IconMoon size={16} aria-hidden />}
        label={state === 'away' && cause !== 'hand' ? `${t('away')} (${t(cause)})` : t('away')}
        isOn={state === 'away'}
        choose={() => setAvailability({ state: 'away' })}
      />
      <Menu.Divider />
      <Menu.Item leftSection={<IconUsersGroup size={16} aria-hidden />} onClick={() => goTo('/team')}>
        {t('team')}
      </Menu.Item>
    </>
  )
}

interface ChoiceProps {
  icon: ReactNode
  label: string
  isOn: boolean
  choose(): Promise<void>
}

const Choice = ({ icon, label, isOn, choose }: ChoiceProps) => (
  <Menu.Item
    aria-current={isOn || undefined}
    leftSection={icon}
    rightSection={isOn && <IconCheck size={16} aria-hidden />}
    onClick={() => void choose()}
  >
    {label}
  </Menu.Item>
)
