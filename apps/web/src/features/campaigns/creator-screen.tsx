import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams, useSearchParams } from 'react-router'
import { errorText } from '../../platform/errors.text.ts'
import { useUser } from '../../platform/session.tsx'
import { Late } from '../../ui/late.tsx'
import { Page } from '../../ui/page.tsx'
import { oneCampaign } from './campaigns.api.ts'
import { useCreatorText } from './campaigns.creator.text.ts'
import { useCampaignText } from './campaigns.text.ts'
import { CreatorForm } from './creator-form.tsx'

/** `/CampaignsCreator` creates a campaign, with `?copy=17` a copy; `/CampaignsCreator/17` changes it. */
export default function CreatorScreen() {
  const user = useUser()
  const { campaignId } = useParams()
  const [query] = useSearchParams()
  const copyOf = Number(query.get('copy')) || null
  if (!user.company.enableCampaigns) return <Navigate to="/tickets" replace />
  const shown = Number(campaignId) || copyOf
  return <Creator key={`${campaignId} ${copyOf}`} shown={shown} isCopy={!campaignId} />
}

function Creator({ shown, isCopy }: { shown: number | null; isCopy: boolean }) {
  const t = useCampaignText()
  const title = useCreatorText()(isCopy ? 'add' : 'edit')
  const { data, error, isFetching } = useQuery({ ...oneCampaign(shown ?? 0), enabled: shown !== null })
  const isHere = shown === null || (data !== undefined && !isFetching)
  if (isHere || data) return <CreatorForm key={shown} like={data ?? null} isCopy={isCopy} title={title} />
  return (
    <Page title={title} back={{ path: '/Campaigns', label: t('toList') }}>
      {error ? (
        <p role="alert">{errorText(error)}</p>
      ) : (
        <Late>
          <p role="status">{t('loading')}</p>
        </Late>
      )}
    </Page>
  )
}
