import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCampaigns: Carried[] = [
  carried('campaigns', {
    // a person starts it again, when the numbers are paired
    set: {
      status: `case when r.status in ('start', 'scheduled') then 'pause' else r.status end`,
      ...{ wait_reason: 'null', waits_until: 'null' },
    },
    refers: { follows_id: 'campaigns' },
    plain: ['my_id', 'my_details', 'stand_ins'],
  }),
  carried('campaign_messages', {
    plain: ['media', 'template'],
  }),
  carried('campaign_dispatches', {
    refers: {
      ...{ whatsapp_id: 'whatsapps', contact_id: 'contacts' },
      ...{ ticket_id: 'tickets', answer_ticket_id: 'tickets' },
    },
    plain: ['key', 'row_values'],
  }),
  carried('campaign_posts', {
    refers: { message_id: 'messages' },
  }),
  carried('campaign_departures', {
    refers: { dispatch_id: 'campaign_dispatches', whatsapp_id: 'whatsapps' },
  }),
  leftBehind('campaign_calls', 'calls of another system for campaigns that ended'),
]
