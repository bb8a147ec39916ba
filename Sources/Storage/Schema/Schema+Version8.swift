// How a policy came into force: whether loans that were made before are decided by it as well, and whether it was taken
// back before its day.
extension Schema {
    static let policyScope = """
        ALTER TABLE policy_activations ADD COLUMN retroactive {integer} NOT NULL DEFAULT 0;
        ALTER TABLE policy_activations ADD COLUMN withdrawn_at {integer};
        ALTER TABLE notices ADD COLUMN carried_by {integer};
        CREATE INDEX notices_by_carrier ON notices (carried_by) WHERE carried_by IS NOT NULL;
        """
}
