/** Organizations on the platform, all or one. */
import { useParams } from "@tanstack/react-router"
import { Merchant } from "./Merchant.tsx"
import { MerchantList } from "./MerchantList.tsx"

/** The list, or the organization that the address names. */
export const Merchants = () => {
  const { merchantId } = useParams({ strict: false })
  return merchantId === undefined ? <MerchantList /> : <Merchant merchantId={merchantId} />
}
