import { type Carried, carried, leftBehind } from '../../platform/postgres/transfer/carried.ts'

export const carriedOfCompanies: Carried[] = [
  carried('companies', {
    // the sign-up stays behind; that there was one begins the trial
    refers: { lead_id: 'leads' },
    set: { leaving_at: 'null', terms_due: 'false' },
    plain: ['id', 'pay_by', 'limits_by', 'pause_until'],
  }),
  leftBehind('company_requests', 'for forms that are open at the other installation'),
]
