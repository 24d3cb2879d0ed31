import { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import type { Campaign, CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { campaignChannelOf } from '@balcao/contract/campaigns.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { join, listen } from '../../platform/live.ts'
import { askAgain, patchByPush } from '../../platform/query.ts'
import { campaignKey, DISPATCHES, FORECASTS } from './campaigns.live.ts'

type Page = { rows: CampaignDispatch[] }

/** Subscribes to a campaign while it is shown. */
export function useCampaignLive(campaignId: number) {
  useEffect(() => {
    const leave = join('joinCampaign', campaignId)
    const stop = listen(campaignChannelOf(campaignId), push => {
      if (push.action === 'refresh') {
        patchByPush<Campaign>(campaignKey(campaignId), () => push.campaign)
        void askAgain({ queryKey: DISPATCHES })
        void askAgain({ queryKey: FORECASTS })
        return
      }
      patchByPush<Campaign>(campaignKey(campaignId), old => ({ ...old, ...push.campaign }))
      const { campaignDispatch: changed } = push
      patchByPush<InfiniteData<Page>>(DISPATCHES, old => ({
        ...old,
        pages: old.pages.map(page => withRow(page, changed)),
      }))
    })
    // of one that does not run: its pace and hours are those of the setup
    const stopSetups = listen(campaignSetupChannel, () => void askAgain({ queryKey: FORECASTS }))
    return () => {
      stop()
      stopSetups()
      leave()
    }
  }, [campaignId])
}

const withRow = <P extends Page>(page: P, changed: CampaignDispatch): P =>
  page.rows.some(({ id }) => id === changed.id)
    ? { ...page, rows: page.rows.map(row => (row.id === changed.id ? changed : row)) }
    : page
