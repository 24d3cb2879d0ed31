import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCompanies: Carried[] = [
  carried('companies', {
    // the sign-up stays behind; that there was one begins the trial
    refers: { lead_id: 'leads' },
    set: {
      // off and hidden until everything of it is there (company.import.ts)
      status: '0',
      leaving_at: 'now()',
      arrival: "'coming'",
      // its acceptances stay behind: its admins are asked where this operator has terms
      terms_due:
        'coalesce((select withdrawn_at is null from terms_versions order by id desc limit 1), false)',
    },
    plain: ['id', 'pay_by', 'limits_by', 'pause_until'],
  }),
  leftBehind('company_requests', 'for forms that are open at the other installation'),
]
