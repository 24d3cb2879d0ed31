import { IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMay } from '../../platform/session.tsx'
import { campaignOfTicket } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { useCampaignText } from './campaigns.text.ts'

/** The campaign that a conversation answers, if any; a link for users with campaigns in their menu. */
export default function AnsweredCampaign({ ticketId }: { ticketId: number }) {
  const t = useCampaignText()
  const seesCampaigns = useMay('admin')
  const { data: campaign } = useQuery(campaignOfTicket(ticketId))
  if (!campaign) return null
  const words = t('answers', { name: campaign.name })
  return (
    <p className={classes.answered}>
      <IconSpeakerphone size={14} aria-hidden />
      {seesCampaigns ? (
        <Link className="one-line" to={`/CampaignsManager/${campaign.id}`} title={words}>
          {words}
        </Link>
      ) : (
        <span className="one-line" title={words}>
          {words}
        </span>
      )}
    </p>
  )
}
