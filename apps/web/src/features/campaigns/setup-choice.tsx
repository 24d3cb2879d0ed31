import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { setupList } from '../campaignSetups/campaignSetups.api.ts'
import { useCreatorText } from './campaigns.creator.text.ts'

/** The setup of a campaign, by its handle. */
export function SetupChoice({
  value,
  disabled,
  error,
  onChange,
}: {
  value: string
  disabled: boolean
  error: string | undefined
  onChange(setupId: string): void
}) {
  const t = useCreatorText()
  const { data } = useInfiniteQuery({ ...setupList(''), staleTime: 0 })
  const setups = data?.pages.flatMap(({ rows }) => rows)
  return (
    <div>
      <NativeSelect
        label={t('setup')}
        value={value}
        disabled={disabled}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: t('chooseSetup') },
          ...(setups ?? []).map(({ handle, name }) => ({ value: handle, label: name })),
        ]}
      />
      {setups?.length === 0 && (
        <Button component={Link} to="/CampaignSetups/new" variant="subtle" size="xs" mt={4}>
          {t('addSetup')}
        </Button>
      )}
    </div>
  )
}
